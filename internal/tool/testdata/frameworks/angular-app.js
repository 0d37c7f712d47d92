import '@angular/compiler';
import { Component, provideZonelessChangeDetection, signal } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { FormsModule } from '@angular/forms';
class App {
  constructor() { this.name = ''; this.note = ''; this.agree = false; this.size = 's'; this.sent = signal(''); this.changes = 0; }
  send() { this.sent.set([this.name, this.note, this.agree, this.size, this.changes].join('|')); }
}
const Root = Component({
  selector: 'app-root', standalone: true, imports: [FormsModule],
  template: `<form (ngSubmit)="send()">
    <input id="name" name="name" [(ngModel)]="name" (change)="changes = changes + 1">
    <textarea id="note" name="note" [(ngModel)]="note"></textarea>
    <input id="agree" type="checkbox" name="agree" [(ngModel)]="agree">
    <select id="size" name="size" [(ngModel)]="size"><option value="s">Small</option><option value="l">Large</option></select>
    <output id="echo">{{name}}/{{note}}</output>
    <button id="send">Send</button></form><p id="sent">{{sent()}}</p>`,
})(App);
bootstrapApplication(Root, { providers: [provideZonelessChangeDetection()] });
