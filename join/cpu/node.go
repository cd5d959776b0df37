package cpu

// node is a node of a tree and the leaves that it covers.
type node struct{ v, a, b int }

// middle returns the leaf that parts leaves [a, b) of an inner node.
func middle(a, b int) int { return a + (b-a+1)/2 }

func (n node) leaves() int { return n.b - n.a }

func (n node) children() (left, right node) {
	m := middle(n.a, n.b)
	return node{n.v + 1, n.a, m}, node{n.v + 2*(m-n.a), m, n.b}
}

// upward calls do for the inner nodes from so many levels below a node up to it,
// for all of them if levels is negative, the children of each before it.
func (n node) upward(levels int, do func(n node)) {
	if levels == 0 || n.leaves() == 1 {
		return
	}
	left, right := n.children()
	left.upward(levels-1, do)
	right.upward(levels-1, do)
	do(n)
}

// appendBelow appends the nodes so many levels below a node, and those of at most so many
// leaves further up, in order.
func appendBelow(list []node, n node, levels, leaves int) []node {
	if levels == 0 || n.leaves() <= leaves {
		return append(list, n)
	}
	left, right := n.children()
	return appendBelow(appendBelow(list, left, levels-1, leaves), right, levels-1, leaves)
}
