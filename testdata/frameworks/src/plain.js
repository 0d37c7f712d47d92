const state = { todos: [], n: 0, editing: null };
const app = document.getElementById('app');
app.innerHTML = `<section class="todoapp"><header class="header"><h1>todos</h1><input class="new-todo" placeholder="What needs to be done?" autofocus></header>
<section class="main"><ul class="todo-list"></ul></section>
<footer class="footer"><span class="todo-count"></span><ul class="filters"><li><a href="#/">All</a></li><li><a href="#/active">Active</a></li><li><a href="#/completed">Completed</a></li></ul><button class="clear-completed">Clear completed</button></footer></section>`;
const $ = (s) => app.querySelector(s);
$('.new-todo').addEventListener('keydown', (e) => {
  const text = e.target.value.trim();
  if (e.key !== 'Enter' || !text) return;
  state.todos.push({ id: ++state.n, text, done: false });
  e.target.value = '';
  render();
});
$('.todo-list').addEventListener('change', (e) => {
  if (!e.target.matches('.toggle')) return;
  find(e.target).done = e.target.checked;
  render();
});
$('.todo-list').addEventListener('dblclick', (e) => {
  if (!e.target.matches('label')) return;
  state.editing = find(e.target).id;
  render();
  const edit = $('.editing .edit');
  edit.focus();
  edit.select();
});
$('.todo-list').addEventListener('keydown', (e) => {
  if (e.target.matches('.edit') && e.key === 'Enter') e.target.blur();
});
$('.todo-list').addEventListener('focusout', (e) => {
  if (!e.target.matches('.edit') || state.editing === null) return;
  find(e.target).text = e.target.value.trim();
  state.editing = null;
  render();
});
$('.todo-list').addEventListener('click', (e) => {
  if (!e.target.matches('.destroy')) return;
  state.todos.splice(state.todos.indexOf(find(e.target)), 1);
  render();
});
$('.clear-completed').addEventListener('click', () => {
  state.todos = state.todos.filter((t) => !t.done);
  render();
});
addEventListener('hashchange', render);
const find = (el) => state.todos.find((t) => t.id === Number(el.closest('li').dataset.id));
function render() {
  const filter = location.hash.slice(2);
  $('.todo-list').replaceChildren(...state.todos.filter((t) => !filter || (filter === 'active') !== t.done).map((t) => {
    const li = document.createElement('li');
    li.dataset.id = t.id;
    li.className = (t.done ? 'completed ' : '') + (t.id === state.editing ? 'editing' : '');
    li.innerHTML = '<div class="view"><input class="toggle" type="checkbox"><label></label><button class="destroy"></button></div><input class="edit">';
    li.querySelector('.toggle').checked = t.done;
    li.querySelector('label').textContent = t.text;
    li.querySelector('.edit').value = t.text;
    return li;
  }));
  $('.todo-count').textContent = state.todos.filter((t) => !t.done).length + ' items left';
  $('.clear-completed').hidden = !state.todos.some((t) => t.done);
}
render();
