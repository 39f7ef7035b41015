import { serveTasks } from '../dist/convbench/worker.js';

serveTasks();
