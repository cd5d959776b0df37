package gpu

import "rtcluster/gpu/internal/driver"

// NewCard describes a card.
func NewCard(info driver.Info) Card { return newCard(info) }

// BudgetOf is what is taken of a card at most.
func (o Options) BudgetOf(memory int64) int64 { return o.budget(memory) }
