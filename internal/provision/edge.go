package provision

import (
	"os"
	"os/exec"
)

// Edge is where Microsoft Edge is, or "".
func Edge() string {
	for _, name := range []string{"microsoft-edge", "microsoft-edge-stable", "msedge"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	for _, path := range []string{
		"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
		os.Getenv("ProgramFiles(x86)") + `\Microsoft\Edge\Application\msedge.exe`,
	} {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}
