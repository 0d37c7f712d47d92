import ko from 'knockout';

document.getElementById('app').innerHTML = `<section class="todoapp"><header class="header"><h1>todos</h1><input class="new-todo" placeholder="What needs to be done?" autofocus data-bind="textInput: text, event: { keyup: add }"></header>
<section class="main"><ul class="todo-list" data-bind="foreach: shown"><li data-bind="css: { completed: done, editing: editing }"><div class="view"><input class="toggle" type="checkbox" data-bind="checked: done"><label data-bind="text: text, event: { dblclick: $root.edit }"></label><button class="destroy" data-bind="click: $root.remove"></button></div><input class="edit" data-bind="value: text, hasFocus: editing, event: { keyup: $root.close }"></li></ul></section>
<footer class="footer"><span class="todo-count"><strong data-bind="text: left"></strong> items left</span><ul class="filters"><li><a href="#/">All</a></li><li><a href="#/active">Active</a></li><li><a href="#/completed">Completed</a></li></ul><button class="clear-completed" data-bind="visible: left() < todos().length, click: clear">Clear completed</button></footer></section>`;
const model = {
  todos: ko.observableArray(),
  text: ko.observable(''),
  hash: ko.observable(location.hash),
  add(_, e) {
    const text = model.text().trim();
    if (e.key === 'Enter' && text) {
      model.todos.push({ text: ko.observable(text), done: ko.observable(false), editing: ko.observable(false) });
      model.text('');
    }
    return true;
  },
  edit(t) { t.editing(true); },
  close(t, e) { if (e.key === 'Enter') e.target.blur(); return true; },
  remove(t) { model.todos.remove(t); },
  clear() { model.todos.remove((t) => t.done()); },
};
model.left = ko.pureComputed(() => model.todos().filter((t) => !t.done()).length);
model.shown = ko.pureComputed(() => { const f = model.hash().slice(2); return model.todos().filter((t) => !f || (f === 'active') !== t.done()); });
addEventListener('hashchange', () => model.hash(location.hash));
ko.applyBindings(model);
