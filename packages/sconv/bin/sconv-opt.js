#!/usr/bin/env node
import { endWith } from '../dist/console.js';
import { main } from '../dist/sconv-opt.js';

await endWith(main);
