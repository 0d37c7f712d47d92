import { mount } from 'svelte';
import Todo from './Todo.svelte';

mount(Todo, { target: document.getElementById('app') });
