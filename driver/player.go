package driver

import (
	"bufio"
	_ "embed"
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

//go:embed player.html
var player string

// page writes the video as a page that plays by itself: the pictures are in it.
func (v *Video) page(file *VideoFile, end time.Time) (err error) {
	f, err := os.OpenFile(file.Path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	before, after, _ := strings.Cut(player, "PICTURES\n")
	after = strings.Replace(after, "LENGTH", strconv.FormatInt(file.Duration.Milliseconds(), 10), 1)
	w := bufio.NewWriter(f)
	w.WriteString(before)
	for _, s := range v.shots {
		data, err := os.ReadFile(s.file)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "[%d, \"", s.from.Sub(v.shots[0].from).Milliseconds())
		encoder := base64.NewEncoder(base64.StdEncoding, w)
		_, _ = encoder.Write(data)
		_ = encoder.Close()
		w.WriteString("\"],\n")
	}
	w.WriteString(after)
	return w.Flush()
}
