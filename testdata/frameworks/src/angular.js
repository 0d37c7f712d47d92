import 'zone.js';
import '@angular/compiler';
import { ChangeDetectorRef, Component, inject, provideZoneChangeDetection } from '@angular/core';
import { NgFor, NgIf } from '@angular/common';
import { bootstrapApplication } from '@angular/platform-browser';
import { FormControl, FormsModule, ReactiveFormsModule, Validators } from '@angular/forms';

// New tasks are a reactive form with a validator, edits are template-driven.
const App = Component({
  selector: 'todo-app',
  imports: [NgFor, NgIf, FormsModule, ReactiveFormsModule],
  template: `<section class="todoapp"><header class="header"><h1>todos</h1><input class="new-todo" placeholder="What needs to be done?" autofocus [formControl]="text" (keydown.enter)="add()"></header>
  <section class="main"><ul class="todo-list"><li *ngFor="let t of shown; trackBy: byID" [class.completed]="t.done" [class.editing]="t.id === editing"><div class="view"><input class="toggle" type="checkbox" [(ngModel)]="t.done"><label (dblclick)="edit(t)">{{t.text}}</label><button class="destroy" (click)="remove(t)"></button></div><input class="edit" [(ngModel)]="t.text" (blur)="editing = null" (keydown.enter)="editing = null"></li></ul></section>
  <footer class="footer"><span class="todo-count"><strong>{{left}}</strong> items left</span><ul class="filters"><li><a href="#/">All</a></li><li><a href="#/active">Active</a></li><li><a href="#/completed">Completed</a></li></ul><button class="clear-completed" *ngIf="left < todos.length" (click)="clear()">Clear completed</button></footer></section>`,
})(class {
  todos = [];
  n = 0;
  editing = null;
  hash = location.hash;
  text = new FormControl('', Validators.required);
  byID = (_, t) => t.id;
  changes = inject(ChangeDetectorRef);
  constructor() { addEventListener('hashchange', () => { this.hash = location.hash; this.changes.markForCheck(); }); }
  get shown() { const f = this.hash.slice(2); return this.todos.filter((t) => !f || (f === 'active') !== t.done); }
  get left() { return this.todos.filter((t) => !t.done).length; }
  add() {
    if (this.text.invalid || !this.text.dirty) return;
    this.todos.push({ id: ++this.n, text: this.text.value.trim(), done: false });
    this.text.reset('');
  }
  edit(t) { this.editing = t.id; setTimeout(() => document.querySelector('.editing .edit').focus()); }
  remove(t) { this.todos.splice(this.todos.indexOf(t), 1); }
  clear() { this.todos = this.todos.filter((t) => !t.done); }
});
document.getElementById('app').append(document.createElement('todo-app'));
bootstrapApplication(App, { providers: [provideZoneChangeDetection()] }).catch((e) => console.error(e));
