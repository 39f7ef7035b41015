#!/usr/bin/env node
import { main } from '../dist/sconv.js';
await main(process.argv.slice(2));
