package outlier_test

import (
	"fmt"
	"log"

	"rtcluster/outlier"
)

// From scores to flags: of ten rows a fifth is expected to be outliers.
func ExampleCut() {
	scores := []float64{1, 1, 1, 1, 1.41, 2, 1, 1, 2, 2.83}
	limit, err := outlier.Cut{Rule: outlier.ByContamination, Value: 0.2}.Fit(scores)
	if err != nil {
		log.Fatal(err)
	}
	flags := limit.Flag(scores)
	fmt.Printf("above %v: %d flagged, %d ties\n", limit.Score, flags.Flagged, flags.Ties)
	// The same limit judges rows to come.
	fmt.Println(limit.Outlier(1.5), limit.Outlier(2.5))
	// Output:
	// above 2: 1 flagged, 2 ties
	// false true
}

// Where it is known which rows are outliers, scores can be compared.
func ExampleEvaluate() {
	scores := []float64{1, 1, 1, 1, 1.41, 2, 1, 1, 2, 2.83}
	outliers := []bool{false, false, false, false, false, true, false, false, false, true}
	e, err := outlier.Evaluate(scores, outliers)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("AUROC %.4f, average precision %.4f, precision at %d %.2f\n", e.AUROC, e.AveragePrecision, e.Outliers, e.PrecisionAtN)
	// Output:
	// AUROC 0.9688, average precision 0.8333, precision at 2 0.75
}
