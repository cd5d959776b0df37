package join_test

import (
	"testing"

	"rtcluster/join"
)

func TestReportTo(t *testing.T) {
	type report struct {
		stage       join.Stage
		done, total int64
	}
	var got []report
	ctx := join.WithProgress(t.Context(), func(stage join.Stage, done, total int64) {
		got = append(got, report{stage, done, total})
	})
	join.ReportTo(ctx)(join.StageKNN, 2, 5)
	if len(got) != 1 || got[0] != (report{join.StageKNN, 2, 5}) {
		t.Errorf("got %v", got)
	}
}

func TestReportToNobody(t *testing.T) {
	join.ReportTo(t.Context())(join.StageIndex, 0, 1)
	join.ReportTo(join.WithProgress(t.Context(), nil))(join.StageIndex, 0, 1)
}
