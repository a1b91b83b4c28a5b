import "zone.js";
import "@angular/compiler";
import { Component } from "@angular/core";
import { FormsModule } from "@angular/forms";
import { bootstrapApplication } from "@angular/platform-browser";
import { app, say } from "../page.js";

class Counter {
  name = "";
  count = 0;
  countUp() {
    say(`${this.name} ${++this.count}`);
  }
}
app.innerHTML = "<app-counter></app-counter>";
bootstrapApplication(
  Component({
    selector: "app-counter",
    imports: [FormsModule],
    template: `<input aria-label="Name" [(ngModel)]="name"><div><span (click)="countUp()">Count up</span></div>`,
  })(Counter),
);
