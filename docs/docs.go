// Package docs holds the pages for users, and the schema of run reports for programs
// that check them.
package docs

import _ "embed"

//go:embed report.schema.json
var reportSchema []byte

// ReportSchema returns the JSON Schema (2020-12) of what --report writes.
func ReportSchema() []byte { return reportSchema }
