import $ from 'jquery';
import _ from 'underscore';
import Backbone from 'backbone';

Backbone.$ = $;
const todos = new Backbone.Collection();
let filter = '';

const Item = Backbone.View.extend({
  tagName: 'li',
  template: _.template('<div class="view"><input class="toggle" type="checkbox" <%= done ? "checked" : "" %>><label><%- text %></label><button class="destroy"></button></div><input class="edit" value="<%- text %>">'),
  events: {
    'click .toggle': function () { this.model.set('done', !this.model.get('done')); },
    'dblclick label': function () { this.$el.addClass('editing'); this.$('.edit').trigger('focus'); },
    'keypress .edit': function (e) { if (e.which === 13) this.close(); },
    'blur .edit': function () { this.close(); },
    'click .destroy': function () { todos.remove(this.model); },
  },
  initialize() { this.listenTo(this.model, 'change', this.render); this.listenTo(this.model, 'remove', this.remove); },
  close() {
    if (!this.$el.hasClass('editing')) return;
    this.$el.removeClass('editing');
    this.model.set('text', this.$('.edit').val().trim());
  },
  render() {
    const { done } = this.model.attributes;
    this.$el.html(this.template(this.model.attributes)).toggleClass('completed', done);
    this.$el.toggle(!filter || (filter === 'active') !== done);
    return this;
  },
});
const App = Backbone.View.extend({
  el: '#app',
  events: {
    'keypress .new-todo': function (e) {
      const text = $(e.target).val().trim();
      if (e.which !== 13 || !text) return;
      todos.add({ text, done: false });
      $(e.target).val('');
    },
    'click .clear-completed': () => { todos.remove(todos.where({ done: true })); },
  },
  initialize() {
    this.$el.html('<section class="todoapp"><header class="header"><h1>todos</h1><input class="new-todo" placeholder="What needs to be done?" autofocus></header><section class="main"><ul class="todo-list"></ul></section><footer class="footer"><span class="todo-count"></span><ul class="filters"><li><a href="#/">All</a></li><li><a href="#/active">Active</a></li><li><a href="#/completed">Completed</a></li></ul><button class="clear-completed">Clear completed</button></footer></section>');
    this.listenTo(todos, 'add', (m) => this.$('.todo-list').append(new Item({ model: m }).render().el));
    this.listenTo(todos, 'add remove change', this.count);
    this.count();
  },
  count() {
    this.$('.todo-count').text(todos.where({ done: false }).length + ' items left');
    this.$('.clear-completed').toggle(todos.where({ done: true }).length > 0);
  },
});
new App();
new (Backbone.Router.extend({ routes: { '*filter': (f) => { filter = (f || '').replace('/', ''); todos.each((m) => m.trigger('change', m)); } } }))();
Backbone.history.start();
