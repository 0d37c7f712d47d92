module rove/bench/drivers

go 1.26.0

require (
	github.com/chromedp/chromedp v0.21.0
	github.com/go-rod/rod v0.116.2
	rove v0.0.0
)

require (
	github.com/andybalholm/brotli v1.2.7 // indirect
	github.com/chromedp/cdproto v0.158.6 // indirect
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/coder/websocket v1.8.15 // indirect
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // indirect
	github.com/ysmood/fetchup v0.2.3 // indirect
	github.com/ysmood/goob v0.4.0 // indirect
	github.com/ysmood/got v0.40.0 // indirect
	github.com/ysmood/gson v0.7.3 // indirect
	github.com/ysmood/leakless v0.9.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace rove => ../../
