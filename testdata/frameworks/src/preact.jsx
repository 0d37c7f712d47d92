import { h, render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

function useHash() {
  const [hash, set] = useState(location.hash);
  useEffect(() => {
    const on = () => set(location.hash);
    addEventListener('hashchange', on);
    return () => removeEventListener('hashchange', on);
  }, []);
  return hash.slice(2);
}

function Item({ todo, change, remove }) {
  const [editing, setEditing] = useState(false);
  const [draft, setDraft] = useState('');
  const field = useRef(null);
  useEffect(() => { if (editing) field.current.focus(); }, [editing]);
  const done = () => { if (editing) change({ ...todo, text: draft.trim() }); setEditing(false); };
  return <li className={(todo.done ? 'completed ' : '') + (editing ? 'editing' : '')}>
    <div className="view">
      <input className="toggle" type="checkbox" checked={todo.done} onChange={(e) => change({ ...todo, done: e.target.checked })} />
      <label onDblClick={() => { setDraft(todo.text); setEditing(true); }}>{todo.text}</label>
      <button className="destroy" onClick={remove} />
    </div>
    <input className="edit" ref={field} value={draft} onInput={(e) => setDraft(e.target.value)} onBlur={done} onKeyDown={(e) => e.key === 'Enter' && done()} />
  </li>;
}

function App() {
  const [todos, set] = useState([]);
  const [text, setText] = useState('');
  const filter = useHash();
  const add = (e) => {
    if (e.key !== 'Enter' || !text.trim()) return;
    set([...todos, { id: todos.reduce((n, t) => Math.max(n, t.id), 0) + 1, text: text.trim(), done: false }]);
    setText('');
  };
  return <section className="todoapp">
    <header className="header"><h1>todos</h1><input className="new-todo" placeholder="What needs to be done?" autofocus value={text} onInput={(e) => setText(e.target.value)} onKeyDown={add} /></header>
    <section className="main"><ul className="todo-list">{todos.filter((t) => !filter || (filter === 'active') !== t.done).map((t) =>
      <Item key={t.id} todo={t} change={(n) => set(todos.map((x) => (x.id === t.id ? n : x)))} remove={() => set(todos.filter((x) => x.id !== t.id))} />)}</ul></section>
    <footer className="footer"><span className="todo-count"><strong>{todos.filter((t) => !t.done).length}</strong> items left</span>
      <ul className="filters"><li><a href="#/">All</a></li><li><a href="#/active">Active</a></li><li><a href="#/completed">Completed</a></li></ul>
      {todos.some((t) => t.done) && <button className="clear-completed" onClick={() => set(todos.filter((t) => !t.done))}>Clear completed</button>}</footer>
  </section>;
}
render(<App />, document.getElementById('app'));
