package provision

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Names under which browsers are found on PATH, best first.
var onPath = map[string][]string{
	Shell: {"chrome-headless-shell", "chromium-headless-shell", "headless-shell", "headless_shell"},
	Chrome: {
		"google-chrome-stable", "google-chrome", "chromium", "chromium-browser",
		"microsoft-edge-stable", "microsoft-edge", "brave-browser", "brave",
	},
}

// places are the files where the installers of a system put browsers.
func places(goos, kind string, getenv func(string) string) []string {
	switch goos {
	case "darwin":
		if kind == Shell {
			return nil
		}
		var list []string
		for _, root := range []string{"", getenv("HOME")} {
			for _, app := range []string{"Google Chrome", "Chromium", "Google Chrome for Testing", "Microsoft Edge", "Brave Browser"} {
				list = append(list, root+"/Applications/"+app+".app/Contents/MacOS/"+app)
			}
		}
		return list
	case "windows":
		if kind == Shell {
			return nil
		}
		var list []string
		for _, app := range []string{
			`\Google\Chrome\Application\chrome.exe`, `\Chromium\Application\chrome.exe`,
			`\Microsoft\Edge\Application\msedge.exe`, `\BraveSoftware\Brave-Browser\Application\brave.exe`,
		} {
			for _, root := range []string{"ProgramW6432", "ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
				if dir := getenv(root); dir != "" {
					list = append(list, dir+app)
				}
			}
		}
		return list
	default:
		if kind == Shell {
			return []string{"/usr/bin/chromium-headless-shell", "/headless-shell/headless-shell"}
		}
		// The snap comes last: it can't read hidden directories, where the
		// profile usually is.
		return []string{
			"/usr/bin/google-chrome-stable", "/opt/google/chrome/chrome", "/usr/bin/chromium",
			"/usr/bin/chromium-browser",
			"/opt/microsoft/msedge/msedge", "/opt/brave.com/brave/brave", "/snap/bin/chromium",
		}
	}
}

// installed lists the browsers of a kind that the system has, best first.
func (f *finder) installed(kind string) []Browser {
	var list []Browser
	seen := make(map[string]bool)
	add := func(path string) {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			real = path
		}
		if !seen[real] && f.executable(path) {
			seen[real] = true
			list = append(list, Browser{Path: path, Kind: kind, Source: FromSystem})
		}
	}
	for _, name := range onPath[kind] {
		if path, err := f.lookPath(name); err == nil {
			if path, err = filepath.Abs(path); err == nil && !strings.HasPrefix(path, "/snap/") {
				add(path)
			}
		}
	}
	for _, path := range places(f.goos, kind, f.getenv) {
		add(path)
	}
	return list
}

// isExecutable reports whether a file can be started. Ubuntu's chromium-browser
// is a script that only says to install a snap: that is no browser.
func isExecutable(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if runtime.GOOS == "windows" {
		return true
	}
	return info.Mode()&0o111 != 0 && !asksForSnap(path, info)
}

func asksForSnap(path string, info os.FileInfo) bool {
	if info.Size() > 16<<10 {
		return false
	}
	script, err := os.ReadFile(path)
	if err != nil || !bytes.HasPrefix(script, []byte("#!")) || !bytes.Contains(script, []byte("/snap/bin/chromium")) {
		return false
	}
	_, err = os.Stat("/snap/bin/chromium")
	return err != nil
}
