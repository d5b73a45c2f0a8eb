// JSON.parse keeps the last of fields with one name and says nothing; a client should hear of it.
import { parseExpressionAt, type Expression } from 'acorn';

/** Names that stand more than once in the outermost object of a valid JSON text. */
export function repeatedFields(json: string): string[] {
  const root: Expression = parseExpressionAt(`(${json})`, 0, { ecmaVersion: 'latest' });
  const object = root.type === 'ParenthesizedExpression' ? root.expression : root;
  if (object.type !== 'ObjectExpression') return [];
  const names = object.properties.map((property) => (property.type === 'Property' && property.key.type === 'Literal' ? String(property.key.value) : ''));
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
