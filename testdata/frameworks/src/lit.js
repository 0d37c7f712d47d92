import { LitElement, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { live } from 'lit/directives/live.js';

// In a shadow root; style.css is taken in by a link.
class TodoApp extends LitElement {
  static properties = { todos: {}, hash: {}, editing: {} };
  constructor() {
    super();
    Object.assign(this, { todos: [], hash: location.hash, editing: null, n: 0 });
    addEventListener('hashchange', () => { this.hash = location.hash; });
  }
  updated(changed) { if (changed.has('editing') && this.editing !== null) this.renderRoot.querySelector('.editing .edit').focus(); }
  add(e) {
    const text = e.target.value.trim();
    if (e.key !== 'Enter' || !text) return;
    this.todos = [...this.todos, { id: ++this.n, text, done: false }];
    e.target.value = '';
  }
  change(t, to) { this.todos = this.todos.map((x) => (x.id === t.id ? { ...x, ...to } : x)); }
  render() {
    const f = this.hash.slice(2);
    const shown = this.todos.filter((t) => !f || (f === 'active') !== t.done);
    const left = this.todos.filter((t) => !t.done).length;
    return html`<link rel="stylesheet" href="style.css"><section class="todoapp"><header class="header"><h1>todos</h1><input class="new-todo" placeholder="What needs to be done?" autofocus @keydown=${this.add}></header>
    <section class="main"><ul class="todo-list">${repeat(shown, (t) => t.id, (t) => html`<li class="${t.done ? 'completed' : ''} ${t.id === this.editing ? 'editing' : ''}"><div class="view"><input class="toggle" type="checkbox" .checked=${live(t.done)} @change=${(e) => this.change(t, { done: e.target.checked })}><label @dblclick=${() => { this.editing = t.id; }}>${t.text}</label><button class="destroy" @click=${() => { this.todos = this.todos.filter((x) => x.id !== t.id); }}></button></div><input class="edit" .value=${t.text} @change=${(e) => { this.change(t, { text: e.target.value.trim() }); this.editing = null; }} @blur=${() => { this.editing = null; }}></li>`)}</ul></section>
    <footer class="footer"><span class="todo-count"><strong>${left}</strong> items left</span><ul class="filters"><li><a href="#/">All</a></li><li><a href="#/active">Active</a></li><li><a href="#/completed">Completed</a></li></ul>${left < this.todos.length ? html`<button class="clear-completed" @click=${() => { this.todos = this.todos.filter((t) => !t.done); }}>Clear completed</button>` : nothing}</footer></section>`;
  }
}
customElements.define('todo-app', TodoApp);
document.getElementById('app').append(document.createElement('todo-app'));
