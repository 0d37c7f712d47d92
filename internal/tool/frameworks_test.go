package tool

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"rove/internal/testkit"
)

// frameworks are pages of one form each: what is typed is shown at once, and what
// the framework believes the form to hold is shown when it is sent.
var frameworks = map[string]string{
	"plain": `<form id=f><input id=name><textarea id=note></textarea><input id=agree type=checkbox><select id=size><option value=s>Small<option value=l>Large</select>
		<output id=echo></output><button id=send>Send</button></form><p id=sent></p><script>
		const state = {name: '', note: '', agree: false, size: 's', changes: 0};
		name_ = document.getElementById('name');
		name_.oninput = () => { state.name = name_.value; show() };
		name_.onchange = () => state.changes++;
		note.oninput = () => { state.note = note.value; show() };
		agree.onclick = () => state.agree = agree.checked;
		size.onchange = () => state.size = size.value;
		function show() { echo.value = state.name + '/' + state.note }
		f.onsubmit = (e) => { e.preventDefault(); sent.textContent = Object.values(state).join('|') };
		</script>`,
	"react": `<div id=root></div><script src=/react.js></script><script src=/react-dom.js></script><script>
		const h = React.createElement;
		function App() {
			const [name, setName] = React.useState(''), [note, setNote] = React.useState(''), [agree, setAgree] = React.useState(false);
			const [size, setSize] = React.useState('s'), [sent, setSent] = React.useState('');
			const changes = React.useRef(0);
			React.useEffect(() => { document.getElementById('name').addEventListener('change', () => changes.current++) }, []);
			return h('div', null, h('form', {onSubmit: (e) => { e.preventDefault(); setSent([name, note, agree, size, changes.current].join('|')) }},
				h('input', {id: 'name', value: name, onChange: (e) => setName(e.target.value)}),
				h('textarea', {id: 'note', value: note, onChange: (e) => setNote(e.target.value)}),
				h('input', {id: 'agree', type: 'checkbox', checked: agree, onChange: (e) => setAgree(e.target.checked)}),
				h('select', {id: 'size', value: size, onChange: (e) => setSize(e.target.value)}, h('option', {value: 's'}, 'Small'), h('option', {value: 'l'}, 'Large')),
				h('output', {id: 'echo'}, name + '/' + note), h('button', {id: 'send'}, 'Send')), h('p', {id: 'sent'}, sent));
		}
		ReactDOM.createRoot(document.getElementById('root')).render(h(App));
		</script>`,
	"vue": `<div id=app><form @submit.prevent="sent = [name, note, agree, size, changes].join('|')"><input id=name v-model="name" @change="changes++"><textarea id=note v-model="note"></textarea>
		<input id=agree type=checkbox v-model="agree"><select id=size v-model="size"><option value=s>Small</option><option value=l>Large</option></select>
		<output id=echo>{{name}}/{{note}}</output><button id=send>Send</button></form><p id=sent>{{sent}}</p></div><script src=/vue.js></script><script>
		Vue.createApp({data: () => ({name: '', note: '', agree: false, size: 's', changes: 0, sent: ''})}).mount('#app');
		</script>`,
	"angular": `<app-root></app-root><script src=/angular.js></script>`,
}

// framework serves a script as it is kept, compressed.
func framework(t testing.TB, name string) http.HandlerFunc {
	t.Helper()
	script, err := os.ReadFile(filepath.Join("testdata", "frameworks", name+".js.gz"))
	if err != nil {
		t.Fatal(err)
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(script)
	}
}

// testFrameworks: clicks and keys reach the handlers of every framework, and what
// was there before is appended to or replaced.
func testFrameworks(u user) {
	handlers := map[string]http.HandlerFunc{}
	for _, name := range []string{"react", "react-dom", "vue", "angular"} {
		handlers["/"+name+".js"] = framework(u, name)
	}
	for name, page := range frameworks {
		handlers["/"+name] = testkit.Page("<!doctype html><meta charset=utf-8><title>Form</title>" + page)
	}
	url := testkit.Serve(u.T, handlers)
	for name := range frameworks {
		u.says("browser_navigate", in{"url": url + "/" + name})
		u.says("browser_wait_for_selector", in{"selector": "#name", "visible": true, "timeout": 5000})
		u.says("browser_type", in{"selector": "#name", "text": "Ada"})
		u.says("browser_type", in{"selector": "#name", "text": " Lovelace"}, `→ "Ada Lovelace"`)
		u.says("browser_type", in{"selector": "#note", "text": "wrong"})
		u.says("browser_type", in{"selector": "#note", "text": "right", "clear": true})
		if got := u.js("document.getElementById('echo').textContent || echo.value"); got != `"Ada Lovelace/right"` {
			u.Errorf("%s believes %s", name, got)
		}
		u.says("browser_click", in{"selector": "#agree"})
		u.says("browser_select", in{"selector": "#size", "value": "Large"})
		u.says("browser_click", in{"selector": "#send"})
		if got := u.js("document.getElementById('sent').textContent"); got != `"Ada Lovelace|right|true|l|1"` && got != `"Ada Lovelace|right|true|l|2"` {
			u.Errorf("%s sent %s", name, got)
		}
	}
}
