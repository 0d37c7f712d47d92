package doctor

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// enoughFonts is more than a look into the directories needs to count.
const enoughFonts = 500

// fonts are looked for where fontconfig does. Without any, pages have boxes for
// letters, and pictures of them are worth nothing.
func fonts(context.Context, *Doctor) Result {
	if runtime.GOOS != "linux" {
		return Result{State: OK, Found: "those of the system"}
	}
	count, emoji, east := 0, false, false
	for _, dir := range fontDirs() {
		_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return nil
			}
			name := strings.ToLower(filepath.Base(path))
			switch filepath.Ext(name) {
			case ".ttf", ".otf", ".ttc", ".pfb", ".woff", ".woff2":
				count++
			}
			emoji = emoji || strings.Contains(name, "emoji")
			east = east || strings.Contains(name, "cjk") || strings.Contains(name, "wqy") || strings.Contains(name, "ipa")
			if count >= enoughFonts {
				return fs.SkipAll
			}
			return nil
		})
	}
	if count == 0 {
		return Result{State: Bad, Found: "no fonts: pages show boxes for letters", Mend: "apt install fonts-liberation fonts-noto-color-emoji fonts-noto-cjk, or likewise"}
	}
	r := Result{State: OK, Found: fmt.Sprintf("%d font files", count)}
	var missing []string
	if !emoji {
		missing = append(missing, "fonts-noto-color-emoji")
	}
	if !east {
		missing = append(missing, "fonts-noto-cjk")
	}
	if len(missing) > 0 && count < enoughFonts {
		r.Found += "; emoji or Chinese, Japanese and Korean letters may be missing in pictures (apt install " + strings.Join(missing, " ") + ")"
	}
	return r
}

func fontDirs() []string {
	dirs := []string{"/usr/share/fonts", "/usr/local/share/fonts"}
	if home, err := os.UserHomeDir(); err == nil {
		dirs = append(dirs, filepath.Join(home, ".fonts"), filepath.Join(home, ".local/share/fonts"))
	}
	return dirs
}
