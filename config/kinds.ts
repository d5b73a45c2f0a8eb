// Reads the kinds of brands that people search for, from kinds.json.
import { kindsSchema, type Kinds } from '../src/catalog/kinds.js';
import { readConfigFile } from './json-file.js';

export const readKinds = (): Kinds => readConfigFile('kinds.json', kindsSchema);
