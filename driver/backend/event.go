package backend

// Event is something a tab told: one of the types below.
type Event interface{ event() }

type (
	// FrameNavigated: a frame has a new document.
	FrameNavigated struct {
		Frame    FrameID
		URL      string
		LoaderID string
		Main     bool
	}
	// FrameRemoved: a frame is gone.
	FrameRemoved struct{ Frame FrameID }
	// DialogOpened: a JavaScript dialog now blocks the page.
	DialogOpened struct{ Dialog Dialog }
	// DialogClosed: it was answered.
	DialogClosed struct{ Accepted bool }
	// TabOpened: the tab opened another one (a popup).
	TabOpened struct{ Tab Tab }
	// Crashed: the page's process is gone.
	Crashed struct{}
)

func (FrameNavigated) event() {}
func (FrameRemoved) event()   {}
func (DialogOpened) event()   {}
func (DialogClosed) event()   {}
func (TabOpened) event()      {}
func (Crashed) event()        {}
