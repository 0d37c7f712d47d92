package proc

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Memory is how much memory the whole tree has, in bytes. What its processes
// share is counted for each of them.
func (p *Process) Memory() (int64, error) {
	all, err := processes()
	if err != nil {
		return 0, err
	}
	var sum int64
	for _, one := range all {
		if one.group != p.group.id {
			continue
		}
		statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", one.pid))
		if err != nil {
			continue // gone
		}
		// Its second field is what is resident, in pages.
		if fields := strings.Fields(string(statm)); len(fields) > 1 {
			pages, _ := strconv.ParseInt(fields[1], 10, 64)
			sum += pages * int64(os.Getpagesize())
		}
	}
	return sum, nil
}
