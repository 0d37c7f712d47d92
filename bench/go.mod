module rove/bench

go 1.26.0

require (
	github.com/chromedp/cdproto v0.158.6
	github.com/tiktoken-go/tokenizer v0.10.0
	rove v0.0.0
)

require (
	github.com/andybalholm/brotli v1.2.7 // indirect
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/coder/websocket v1.8.15 // indirect
	github.com/dlclark/regexp2/v2 v2.5.1 // indirect
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace rove => ../
