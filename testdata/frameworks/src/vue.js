import { createApp, nextTick } from 'vue/dist/vue.esm-bundler.js';

createApp({
  data: () => ({ todos: [], text: '', hash: location.hash, editing: null, n: 0 }),
  computed: {
    shown() { const f = this.hash.slice(2); return this.todos.filter((t) => !f || (f === 'active') !== t.done); },
    left() { return this.todos.filter((t) => !t.done).length; },
  },
  created() { addEventListener('hashchange', () => { this.hash = location.hash; }); },
  methods: {
    add() {
      if (this.text.trim()) this.todos.push({ id: ++this.n, text: this.text.trim(), done: false });
      this.text = '';
    },
    async edit(t) { this.editing = t.id; await nextTick(); document.querySelector('.editing .edit').focus(); },
  },
  template: `<section class="todoapp"><header class="header"><h1>todos</h1><input class="new-todo" placeholder="What needs to be done?" autofocus v-model="text" @keyup.enter="add"></header>
  <section class="main"><ul class="todo-list"><li v-for="t in shown" :key="t.id" :class="{completed: t.done, editing: t.id === editing}"><div class="view"><input class="toggle" type="checkbox" v-model="t.done"><label @dblclick="edit(t)">{{t.text}}</label><button class="destroy" @click="todos.splice(todos.indexOf(t), 1)"></button></div><input class="edit" v-model.trim="t.text" @blur="editing = null" @keyup.enter="$event.target.blur()"></li></ul></section>
  <footer class="footer"><span class="todo-count"><strong>{{left}}</strong> items left</span><ul class="filters"><li><a href="#/">All</a></li><li><a href="#/active">Active</a></li><li><a href="#/completed">Completed</a></li></ul><button class="clear-completed" v-if="left < todos.length" @click="todos = todos.filter((t) => !t.done)">Clear completed</button></footer></section>`,
}).mount('#app');
