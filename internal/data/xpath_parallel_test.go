package data

import (
	"sync"
	"testing"
)

// TestXPathInParallel is for the race detector: scenarios share compiled expressions.
func TestXPathInParallel(t *testing.T) {
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			x, err := ParseXML("<a><b>1</b><b>2</b></a>")
			if err != nil {
				t.Error(err)
				return
			}
			for range 200 {
				if nodes, err := x.evaluate("/a/b"); err != nil || len(nodes.([]*Node)) != 2 {
					t.Errorf("%v %v", nodes, err)
					return
				}
			}
		})
	}
	all.Wait()
}
