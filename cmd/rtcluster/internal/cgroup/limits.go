package cgroup

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"
)

// Limits are what control groups leave to the process, +Inf where they do not limit it.
type Limits struct {
	Memory float64 // bytes, of the tightest group
	Free   float64 // bytes that no group has in use; files in the cache that may go are free
	CPUs   float64 // processors' worth of time
}

// Read returns the limits that hold now. Under root are the proc and sys of the
// system: "/" but for tests.
func Read(root string) Limits {
	none := math.Inf(1)
	limits := Limits{Memory: none, Free: none, CPUs: none}
	proc, err := procfs.NewFS(filepath.Join(root, "proc"))
	if err != nil {
		return limits
	}
	self, err := proc.Self()
	if err != nil {
		return limits
	}
	groups, err := self.Cgroups()
	if err != nil {
		return limits
	}
	mounts, err := self.MountInfo()
	if err != nil {
		return limits
	}
	for _, g := range groups {
		for _, m := range mounts {
			for _, folder := range foldersOf(g, m) {
				limits.tighten(filepath.Join(root, folder))
			}
		}
	}
	return limits
}

// foldersOf are the folders of a group and of those around it, where a mount shows them.
func foldersOf(g procfs.Cgroup, m *procfs.MountInfo) []string {
	unified := g.HierarchyID == 0 && len(g.Controllers) == 0
	shows := unified && m.FSType == "cgroup2" || m.FSType == "cgroup" && slices.ContainsFunc(g.Controllers, func(name string) bool {
		_, mounted := m.SuperOptions[name]
		return mounted && (name == "memory" || name == "cpu")
	})
	if !shows {
		return nil
	}
	// In a container the mount begins at a group within the system. If it is not around
	// the one of the process, it is the best that can be seen.
	inside, err := filepath.Rel(m.Root, g.Path)
	if err != nil || inside == ".." || strings.HasPrefix(inside, "../") || strings.HasPrefix(g.Path, "/..") {
		inside = "."
	}
	folders := []string{m.MountPoint}
	for part := range strings.SplitSeq(inside, "/") {
		folders = append(folders, filepath.Join(folders[len(folders)-1], part))
	}
	return folders
}

// tighten takes note of the limits of one group, of either version.
func (l *Limits) tighten(folder string) {
	for _, names := range []struct{ limit, used, cache string }{
		{"memory.max", "memory.current", "inactive_file"},
		{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"},
	} {
		limit, err := readNumber(folder, names.limit)
		if err != nil || limit >= 1<<62 { // version 1 writes the greatest number for none
			continue
		}
		l.Memory = min(l.Memory, limit)
		if used, err := readNumber(folder, names.used); err == nil {
			l.Free = min(l.Free, max(0, limit-used+statistic(folder, names.cache)))
		}
	}
	if quota, period, err := readQuota(folder); err == nil && quota > 0 && period > 0 {
		l.CPUs = min(l.CPUs, quota/period)
	}
}

// readQuota returns the processor time of a group in each period, of one unit.
func readQuota(folder string) (quota, period float64, err error) {
	if text, err := os.ReadFile(filepath.Join(folder, "cpu.max")); err == nil {
		first, second, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
		if quota, err = strconv.ParseFloat(first, 64); err != nil { // "max"
			return 0, 0, err
		}
		period, err = strconv.ParseFloat(second, 64)
		return quota, period, err
	}
	if quota, err = readNumber(folder, "cpu.cfs_quota_us"); err != nil {
		return 0, 0, err
	}
	period, err = readNumber(folder, "cpu.cfs_period_us")
	return quota, period, err
}

func readNumber(folder, name string) (float64, error) {
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
}

// statistic is a line of memory.stat, 0 if there is none.
func statistic(folder, name string) float64 {
	text, err := os.ReadFile(filepath.Join(folder, "memory.stat"))
	if err != nil {
		return 0
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		label, number, _ := strings.Cut(lines.Text(), " ")
		if value, err := strconv.ParseFloat(number, 64); err == nil && label == name {
			return value
		}
	}
	return 0
}
