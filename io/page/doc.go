// Package page makes one HTML page of a run: what its report says, as JSON, with pictures
// and tables beside it.
//
// The page is made from the report's own JSON, so that both tell the same: objects become
// lists of facts, lists of objects become tables that can be sorted, and the JSON itself
// stands at the end. It needs no network and no other file, may not reach for any, and is
// read in light and dark, by keyboard, by screen readers and on paper. What stands in it
// from outside, such as the names of files and columns, is escaped by html/template.
package page
