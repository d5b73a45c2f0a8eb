// Queries of tables as SQL. Each field in a query is a column of the table.
import type { Condition, FieldValue, Query, Where } from '../tables.js';

type SqlValue = string | number;

export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
const DIRECTIONS = { ascending: 'ASC', descending: 'DESC' } as const;

/** Returns the part of the SQL statement after `FROM table`. */
export function clauses({ where = {}, sort = {}, limit }: Query): Sql {
  const { text, values } = whereClause(where);
  const order = Object.entries(sort).map(([field, direction]) => `"${field}" ${DIRECTIONS[direction]}`);
  return {
    text: text + (order.length > 0 ? ` ORDER BY ${order.join(', ')}` : '') + (limit === undefined ? '' : ' LIMIT ?'),
    values: limit === undefined ? values : [...values, limit],
  };
}

function whereClause(where: Where): Sql {
  const parts = Object.entries(where).map(([field, condition]) => comparison(`"${field}"`, condition));
  return {
    text: parts.length > 0 ? ` WHERE ${parts.map(({ text }) => text).join(' AND ')}` : '',
    values: parts.flatMap(({ values }) => values),
  };
}

function comparison(column: string, condition: Condition): Sql {
  if (condition === null) return { text: `${column} IS NULL`, values: [] };
  // The value is part of the SQL text, because SQLite could not use a partial index if the value were a parameter.
  if (typeof condition === 'boolean') return { text: `${column} = ${Number(condition)}`, values: [] };
  if (typeof condition !== 'object' || condition instanceof Date)
    return { text: `${column} = ?`, values: [sqlValue(condition)] };
  if ('ne' in condition) return { text: `${column} IS NOT NULL`, values: [] };
  if ('in' in condition)
    return { text: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(condition.in)] };
  if ('by' in condition)
    return {
      text: `(${column} <= ? OR ${column} > ?)`,
      values: [condition.by.getTime(), condition.farAhead.getTime()],
    };
  const bounds = Object.entries(condition) as [keyof typeof OPERATORS, FieldValue][];
  return {
    text: bounds.map(([operator]) => `${column} ${OPERATORS[operator]} ?`).join(' AND '),
    values: bounds.map(([, value]) => sqlValue(value)),
  };
}

function sqlValue(value: FieldValue): SqlValue {
  if (value instanceof Date) return value.getTime();
  return typeof value === 'boolean' ? Number(value) : value;
}
