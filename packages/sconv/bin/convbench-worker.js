import { serveTasks } from './commands.js';

serveTasks();
