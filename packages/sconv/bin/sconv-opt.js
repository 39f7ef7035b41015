#!/usr/bin/env node
import { main } from '../dist/sconv-opt.js';
await main(process.argv.slice(2));
