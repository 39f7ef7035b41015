#!/usr/bin/env node
import { endWith } from '../dist/console.js';
import { main } from '../dist/sconv.js';

await endWith(main);
