// One operation: its input and its responses, with a sample and an example beside them.
import { memo, useMemo } from 'react';
import type { Media, Operation, Parameter, Response, Scheme } from './api-document.js';
import { HighlightedCode, RequestSample } from './code.js';
import { BodySchema, Disclosure, Fields } from './fields.js';
import { Markdown } from './markdown.js';
import { bodyOf, hasKeyInPath, initialInput, requestOf } from './request.js';
import { exampleOf } from './schema.js';

const PLACES = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
] as const;
/** Routes with an example picture, which is the file `/docs/example.{format}`. */
const PICTURE_ROUTE = /^\/v1\/(svg|png|webp)\/\{slug\}$/;

interface Props {
  readonly operation: Operation;
  readonly onTry: (operation: Operation) => void;
}

/** If `isComplete` is false, renders only the head of the operation. */
export const OperationSection = memo(function OperationSection({
  operation,
  isComplete,
  onTry,
}: Props & { readonly isComplete: boolean }) {
  const { id, summary } = operation;
  return (
    <section
      id={id}
      className={isComplete ? 'operation' : 'operation incomplete'}
      aria-labelledby={`${id}-heading`}
      data-section
    >
      <div className="operation-text">
        <h3 id={`${id}-heading`}>
          <a href={`#${id}`}>{summary}</a>
        </h3>
        <Address {...operation} />
        {isComplete && <Details operation={operation} />}
      </div>
      {isComplete && <Aside operation={operation} onTry={onTry} />}
    </section>
  );
});

function Details({ operation }: Pick<Props, 'operation'>) {
  const { description, parameters, requestBody, responses } = operation;
  const { type, schema } = bodyOf(operation) ?? {};
  return (
    <>
      {description !== undefined && <Markdown text={description} />}
      <Credentials operation={operation} />
      {PLACES.map(([place, title]) => (
        <Parameters key={place} title={title} list={parameters.filter((each) => each.in === place)} />
      ))}
      {type !== undefined && (!schema || Object.keys(schema.properties ?? {}).length > 0) && (
        <>
          <h4>{requestBody?.required === true ? 'Body' : 'Body (optional)'}</h4>
          {schema ? (
            <BodySchema schema={schema} />
          ) : (
            <>
              <p className="facts">
                <code>{type}</code>
              </p>
              <Markdown text={requestBody?.description ?? ''} />
            </>
          )}
        </>
      )}
      <Responses responses={responses} />
    </>
  );
}

export function Address({ method, path }: Pick<Operation, 'method' | 'path'>) {
  return (
    <p className="address">
      <span className={`method ${method.toLowerCase()}`}>{method}</span>{' '}
      <code>{path.split(/(\{\w+\})/).map((part, at) => (at % 2 === 1 ? <b key={at}>{part}</b> : part))}</code>
    </p>
  );
}

function Credentials({ operation }: { readonly operation: Operation }) {
  const { schemes } = operation;
  const inPath = hasKeyInPath(operation);
  return (
    <p className="credentials">
      <span>Credentials</span>
      {schemes.map((scheme, at) => (
        <span key={scheme.description}>
          {at > 0 && 'or '}
          <a href="#credentials">
            <SchemeText {...scheme} />
          </a>
        </span>
      ))}
      {schemes.length === 0 && (inPath ? 'publishable key in the path' : 'none')}
    </p>
  );
}

export function SchemeText({ type, in: place, name }: Scheme) {
  if (type === 'http') return <code>Authorization: Bearer</code>;
  return (
    <>
      <code>{name}</code> {place === 'query' ? 'parameter' : place}
    </>
  );
}

function Parameters({ title, list }: { readonly title: string; readonly list: readonly Parameter[] }) {
  if (list.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <Fields fields={list} />
    </>
  );
}

function Responses({ responses }: Pick<Operation, 'responses'>) {
  const all = Object.entries(responses);
  const errors = all.filter(([status]) => Number(status) >= 400);
  const others = all.filter(([status]) => Number(status) < 400);
  return (
    <>
      <h4>Responses</h4>
      {others.map(([status, response]) => (
        <ResponseRow key={status} status={status} response={response} title={response.description} />
      ))}
      <Disclosure
        summary={
          <>
            <span className="status bad">Errors</span> {errors.map(([status]) => status).join(', ')}
          </>
        }
      >
        {() =>
          errors.map(([status, response]) => (
            <ResponseRow key={status} status={status} response={response} title={codesOf(response).join(', ')} />
          ))
        }
      </Disclosure>
    </>
  );
}

function codesOf({ content = {} }: Response): string[] {
  return Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));
}

interface ResponseProps {
  readonly status: string;
  readonly response: Response;
  readonly title: string;
}

function ResponseRow({ status, response, title }: ResponseProps) {
  const { description, headers = {}, content = {} } = response;
  const kind = Number(status) >= 400 ? 'bad' : Number(status) >= 300 ? 'plain' : 'good';
  return (
    <Disclosure
      summary={
        <>
          <span className={`status ${kind}`}>{status}</span> {title}
        </>
      }
    >
      {() => (
        <>
          {description !== title && <Markdown text={description} />}
          {Object.entries(content).map(([type, media]) => (
            <div key={type}>
              <h5>
                Body: <code>{type}</code>
              </h5>
              <BodySchema schema={media.schema} />
              <MediaExample media={media} label={`Example of a response with status ${status}`} />
            </div>
          ))}
          <h5>Headers</h5>
          <Fields fields={Object.entries(headers).map(([name, header]) => ({ name, ...header }))} />
        </>
      )}
    </Disclosure>
  );
}

/** Renders nothing for binary content, and for text without an example. */
export function MediaExample({ media, label }: { readonly media: Media; readonly label: string }) {
  const texts = useMemo(() => exampleTexts(media), [media]);
  return texts.map((text) => <HighlightedCode key={text} text={text} label={label} />);
}

function exampleTexts({ schema, example, examples }: Media): string[] {
  if (example === undefined && schema.type === 'string') return [];
  const values = Object.values(examples ?? {}).map(({ value }) => value);
  const all = values.length > 0 ? values : [example ?? exampleOf(schema)];
  return all.map((value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2)));
}

function Aside({ operation, onTry }: Props) {
  const { summary, path, responses } = operation;
  const [status = '', response] = Object.entries(responses)[0] ?? [];
  const [type, media] = Object.entries(response?.content ?? {})[0] ?? [];
  const request = useMemo(() => requestOf(operation, initialInput(operation)), [operation]);
  const picture = PICTURE_ROUTE.exec(path)?.[1];
  return (
    <div className="operation-aside">
      <RequestSample request={request} media={type}>
        <button type="button" className="try" aria-label={`Try it: ${summary}`} onClick={() => onTry(operation)}>
          Try it
        </button>
      </RequestSample>
      {media && type !== undefined && (
        <div className="panel">
          <p className="panel-head">
            <span className="status good">{status}</span> <code>{type}</code>
          </p>
          {picture !== undefined && (
            <img className="picture" src={`/docs/example.${picture}`} alt="GitHub's logo" loading="lazy" />
          )}
          <MediaExample media={media} label="Example response" />
        </div>
      )}
    </div>
  );
}
