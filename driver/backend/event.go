package backend

// Event is something a tab told: one of the types below.
type Event interface{ event() }

type (
	// FrameNavigated: a frame has a new document.
	FrameNavigated struct {
		Frame    FrameID
		URL      string
		Document string // names the document
		Main     bool
		// Unreachable: there is none at that address, and the browser shows a page
		// of its own.
		Unreachable bool
	}
	// NavigationStarted: a frame is about to get a new document.
	NavigationStarted struct {
		Frame FrameID
		URL   string
		Main  bool
	}
	// NavigationStopped: a frame no longer loads, whatever came of it.
	NavigationStopped struct {
		Frame FrameID
		Main  bool
	}
	// URLChanged: a frame's address changed within its document.
	URLChanged struct {
		Frame FrameID
		URL   string
		Main  bool
	}
	// Loaded: a frame's document fired its load event.
	Loaded struct {
		Frame    FrameID
		Document string // names the document
		Main     bool
	}
	// RequestStarted: a request left, or a redirect of one.
	RequestStarted struct {
		ID     string // the same over redirects
		Method string
		URL    string
		Type   string // TypeDocument, TypeXHR, …
		Frame  FrameID
		// Redirected is the status of the answer that led here, 0 for what is no redirect.
		Redirected int
	}
	// ResponseReceived: the head of an answer is there.
	ResponseReceived struct {
		ID     string
		Status int
		MIME   string
	}
	// RequestEnded: a request is over, or all of its answer has come. It may come
	// twice then. Where it failed, Reason says why and Failure is the browser's own word.
	RequestEnded struct {
		ID      string
		Reason  Reason
		Failure string
	}
	// SocketMessage: a message went over a socket of the page, to the server or from it.
	// Browsers that do not tell leave it out.
	SocketMessage struct{ Sent bool }
	// ConsoleError: the page logged an error or threw one nobody caught.
	ConsoleError struct{ Text string }
	// DownloadStarted: a file is on its way.
	DownloadStarted struct{ ID, Name, URL string }
	// DownloadEnded: it is there, at Path, or failed.
	DownloadEnded struct {
		ID, Name, URL string
		Path          string
		Size          int64
		Type          string // what its name or its first bytes say
		Failed        bool
	}
	// FrameRemoved: a frame is gone.
	FrameRemoved struct{ Frame FrameID }
	// DialogOpened: a JavaScript dialog now blocks the page.
	DialogOpened struct{ Dialog Dialog }
	// DialogClosed: it was answered.
	DialogClosed struct{ Accepted bool }
	// ChooserOpened: the page asks for files.
	ChooserOpened struct{ Chooser Chooser }
	// TabOpening: the page asks for another tab (a popup), to show URL in. It may be
	// kept from it.
	TabOpening struct{ URL string }
	// TabOpened: the tab opened another one (a popup).
	TabOpened struct{ Tab Tab }
	// PageEnded: something of the page had to be ended to leave it, such as a
	// script without end.
	PageEnded struct{ What string }
	// Refused: the policy did not let a request go out.
	Refused struct {
		Frame FrameID
		URL   string
		Type  string
		Main  bool  // it was for a document of the main frame, which stays as it is
		Err   error // the policy's reason
	}
	// Crashed: the page's process is gone.
	Crashed struct{ Why string } // why it was ended on purpose, if it was
)

func (FrameNavigated) event()    {}
func (NavigationStarted) event() {}
func (NavigationStopped) event() {}
func (URLChanged) event()        {}
func (Loaded) event()            {}
func (RequestStarted) event()    {}
func (ResponseReceived) event()  {}
func (RequestEnded) event()      {}
func (SocketMessage) event()     {}
func (ConsoleError) event()      {}
func (DownloadStarted) event()   {}
func (DownloadEnded) event()     {}
func (FrameRemoved) event()      {}
func (DialogOpened) event()      {}
func (DialogClosed) event()      {}
func (ChooserOpened) event()     {}
func (TabOpening) event()        {}
func (TabOpened) event()         {}
func (PageEnded) event()         {}
func (Refused) event()           {}
func (Crashed) event()           {}
