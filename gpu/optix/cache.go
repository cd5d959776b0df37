package optix

import (
	"os"
	"path/filepath"
)

// cacheFolder makes and returns the folder for what OptiX compiles, in that for the user's
// caches, or "" where there can be none: OptiX chooses then. userCache is
// [os.UserCacheDir].
func cacheFolder(userCache func() (string, error)) string {
	base, err := userCache()
	if err != nil {
		return ""
	}
	folder := filepath.Join(base, "rtcluster", "optix")
	if os.MkdirAll(folder, 0o700) != nil {
		return ""
	}
	return folder
}
