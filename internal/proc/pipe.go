package proc

import "os"

// pipeEnds are the four ends of a debugging pipe.
type pipeEnds struct {
	toBrowser, fromBrowser *os.File // ours
	childIn, childOut      *os.File // the browser's
}

func newPipeEnds() (*pipeEnds, error) {
	var e pipeEnds
	var err error
	if e.childIn, e.toBrowser, err = os.Pipe(); err != nil {
		return nil, err
	}
	if e.fromBrowser, e.childOut, err = os.Pipe(); err == nil {
		err = e.prepare()
	}
	if err != nil {
		for _, f := range []*os.File{e.childIn, e.toBrowser, e.fromBrowser, e.childOut} {
			_ = f.Close() // nil is fine
		}
		return nil, err
	}
	return &e, nil
}
