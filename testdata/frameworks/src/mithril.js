import m from 'mithril';

let todos = [];
let text = '';
let editing = null;
let draft = '';
let n = 0;
const close = (t) => { if (editing === t.id) { t.text = draft.trim(); editing = null; } };
const App = {
  view() {
    const f = location.hash.slice(2);
    const left = todos.filter((t) => !t.done).length;
    return m('section.todoapp', [
      m('header.header', [m('h1', 'todos'), m('input.new-todo', {
        placeholder: 'What needs to be done?', autofocus: true, value: text, oninput: (e) => { text = e.target.value; },
        onkeydown: (e) => { if (e.key === 'Enter' && text.trim()) { todos.push({ id: ++n, text: text.trim(), done: false }); text = ''; } },
      })]),
      m('section.main', m('ul.todo-list', todos.filter((t) => !f || (f === 'active') !== t.done).map((t) => m('li', { key: t.id, class: (t.done ? 'completed ' : '') + (t.id === editing ? 'editing' : '') }, [
        m('div.view', [
          m('input.toggle[type=checkbox]', { checked: t.done, onclick: () => { t.done = !t.done; } }),
          m('label', { ondblclick: () => { editing = t.id; draft = t.text; } }, t.text),
          m('button.destroy', { onclick: () => { todos = todos.filter((x) => x !== t); } }),
        ]),
        m('input.edit', { value: t.id === editing ? draft : t.text, oninput: (e) => { draft = e.target.value; }, onblur: () => close(t), onkeydown: (e) => { if (e.key === 'Enter') close(t); }, onupdate: (v) => { if (t.id === editing && document.activeElement !== v.dom) v.dom.focus(); } }),
      ])))),
      m('footer.footer', [
        m('span.todo-count', [m('strong', left), ' items left']),
        m('ul.filters', [['#/', 'All'], ['#/active', 'Active'], ['#/completed', 'Completed']].map(([href, name]) => m('li', m('a', { href }, name)))),
        left < todos.length ? m('button.clear-completed', { onclick: () => { todos = todos.filter((t) => !t.done); } }, 'Clear completed') : null,
      ]),
    ]);
  },
};
addEventListener('hashchange', () => m.redraw());
m.mount(document.getElementById('app'), App);
