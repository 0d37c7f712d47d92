import Alpine from 'alpinejs';

document.getElementById('app').innerHTML = `<section class="todoapp" x-data="app"><header class="header"><h1>todos</h1><input class="new-todo" placeholder="What needs to be done?" autofocus x-model="text" @keydown.enter="add"></header>
<section class="main"><ul class="todo-list"><template x-for="t in shown" :key="t.id"><li :class="{ completed: t.done, editing: t.id === editing }"><div class="view"><input class="toggle" type="checkbox" x-model="t.done"><label x-text="t.text" @dblclick="edit(t, $el)"></label><button class="destroy" @click="todos = todos.filter((x) => x !== t)"></button></div><input class="edit" x-model.lazy="t.text" @blur="editing = null" @keydown.enter="$el.blur()"></li></template></ul></section>
<footer class="footer"><span class="todo-count"><strong x-text="left"></strong> items left</span><ul class="filters"><li><a href="#/">All</a></li><li><a href="#/active">Active</a></li><li><a href="#/completed">Completed</a></li></ul><button class="clear-completed" x-show="left < todos.length" @click="todos = todos.filter((t) => !t.done)">Clear completed</button></footer></section>`;
Alpine.data('app', () => ({
  todos: [],
  text: '',
  n: 0,
  editing: null,
  hash: location.hash,
  init() { addEventListener('hashchange', () => { this.hash = location.hash; }); },
  get shown() { const f = this.hash.slice(2); return this.todos.filter((t) => !f || (f === 'active') !== t.done); },
  get left() { return this.todos.filter((t) => !t.done).length; },
  add() {
    if (this.text.trim()) this.todos.push({ id: ++this.n, text: this.text.trim(), done: false });
    this.text = '';
  },
  edit(t, label) { this.editing = t.id; this.$nextTick(() => label.closest('li').querySelector('.edit').focus()); },
}));
Alpine.start();
