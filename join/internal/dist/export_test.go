package dist

// The reference loops, for tests in package dist_test.
var (
	CutGeneric       = cutGeneric
	MinMaxGeneric    = minMaxGeneric
	NearGeneric      = nearGeneric
	NearEachGeneric  = nearEachGeneric
	GapsGeneric      = gapsGeneric
	TileGeneric      = tileGeneric
	DistancesGeneric = distancesGeneric
	RotateGeneric    = rotateGeneric
)
