import { createEffect, createSignal, For, Show } from 'solid-js';
import { createStore } from 'solid-js/store';
import { render } from 'solid-js/web';
import html from 'solid-js/html';

function App() {
  const [todos, set] = createStore([]);
  const [hash, setHash] = createSignal(location.hash);
  const [editing, setEditing] = createSignal(null);
  let n = 0;
  addEventListener('hashchange', () => setHash(location.hash));
  createEffect(() => { if (editing() !== null) queueMicrotask(() => document.querySelector('.editing .edit').focus()); });
  const shown = () => { const f = hash().slice(2); return todos.filter((t) => !f || (f === 'active') !== t.done); };
  const left = () => todos.filter((t) => !t.done).length;
  const add = (e) => {
    const text = e.target.value.trim();
    if (e.key !== 'Enter' || !text) return;
    set(todos.length, { id: ++n, text, done: false });
    e.target.value = '';
  };
  const at = (t) => todos.findIndex((x) => x.id === t.id);
  const save = (t) => (e) => { set(at(t), 'text', e.target.value.trim()); setEditing(null); };
  const item = (t) => html`<li class=${() => (t.done ? 'completed ' : '') + (editing() === t.id ? 'editing' : '')}><div class="view"><input class="toggle" type="checkbox" checked=${() => t.done} onChange=${(e) => set(at(t), 'done', e.target.checked)} /><label onDblClick=${() => setEditing(t.id)}>${() => t.text}</label><button class="destroy" onClick=${() => set(todos.filter((x) => x.id !== t.id))}></button></div><input class="edit" value=${() => t.text} onChange=${save(t)} onBlur=${() => setEditing(null)} /></li>`;
  return html`<section class="todoapp"><header class="header"><h1>todos</h1><input class="new-todo" placeholder="What needs to be done?" autofocus onKeyDown=${add} /></header>
    <section class="main"><ul class="todo-list"><${For} each=${shown}>${item}<//></ul></section>
    <footer class="footer"><span class="todo-count"><strong>${left}</strong> items left</span><ul class="filters"><li><a href="#/">All</a></li><li><a href="#/active">Active</a></li><li><a href="#/completed">Completed</a></li></ul><${Show} when=${() => left() < todos.length}><button class="clear-completed" onClick=${() => set(todos.filter((t) => !t.done))}>Clear completed</button><//></footer></section>`;
}
render(App, document.getElementById('app'));
