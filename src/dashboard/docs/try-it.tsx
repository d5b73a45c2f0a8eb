// Try it: a dialog that sends one request with the reader's input to this service.
import { useEffect, useId, useRef, useState, type SyntheticEvent } from 'react';
import { Button } from '../components/button.js';
import { Select } from '../components/select.js';
import { formatNumber } from '../format.js';
import { useObjectUrl } from '../hooks/use-object-url.js';
import { saveFile } from '../save-file.js';
import { answerTo, type Answer } from './answer.js';
import type { Operation, Parameter } from './api-document.js';
import { HighlightedCode, RequestSample } from './code.js';
import { Disclosure } from './fields.js';
import { Address, SchemeText } from './operation.js';
import { bodyOf, fillable, hasKeyInPath, initialInput, requestOf, type ApiRequest } from './request.js';
import { allowedValues, givenExample, limitTexts, typeText } from './schema.js';

const MAX_SHOWN_CHARACTERS = 20_000;
/** Maximum number of values that are offered as choices. A parameter with more values gets a text field. */
const MAX_OPTIONS = 20;

interface Props {
  readonly operation: Operation;
  /** Typed credential. It is kept while the page is open. */
  readonly credential: string;
  readonly onCredential: (credential: string) => void;
  readonly onClose: () => void;
}

export function TryIt({ operation, credential, onCredential, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [title, form] = [useId(), useId()];
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const [input, setInput] = useState(() => initialInput(operation));
  const request = requestOf(operation, { ...input, credential: credential.trim() });
  const { answer, isSending, send } = useAnswer();
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (answer) result.current?.scrollIntoView({ block: 'nearest' });
  }, [answer]);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    void send(request);
  };
  const body = bodyOf(operation);
  const [media] = Object.keys(Object.values(operation.responses)[0]?.content ?? {});
  return (
    <dialog ref={dialog} className="try-it" aria-labelledby={title} onClose={onClose}>
      <header>
        <h2 id={title}>{operation.summary}</h2>
        <SendButton key={JSON.stringify(request)} form={form} method={operation.method} isSending={isSending} />
        <Button size="small" onClick={() => dialog.current?.close()}>
          Close
        </Button>
        <Address {...operation} />
      </header>
      <div className="try-it-columns">
        <form id={form} onSubmit={submit}>
          <CredentialField operation={operation} value={credential} onValue={onCredential} />
          {fillable(operation).map((parameter) => (
            <ParameterField
              key={`${parameter.in} ${parameter.name}`}
              parameter={parameter}
              value={input.values.get(parameter) ?? ''}
              onValue={(value) => setInput({ ...input, values: new Map([...input.values, [parameter, value]]) })}
            />
          ))}
          {body?.isFile === true && <FileField type={body.type} onFile={(file) => setInput({ ...input, file })} />}
          {body?.isFile === false && (
            <BodyField value={input.body} onValue={(text) => setInput({ ...input, body: text })} />
          )}
        </form>
        <div className="try-it-result">
          <RequestSample request={request} media={media} />
          <div ref={result} className="answer">
            <p role="status">{answer && <AnswerHead {...answer} />}</p>
            {answer && <AnswerContent {...answer} />}
          </div>
        </div>
      </div>
    </dialog>
  );
}

/** A request is aborted when the dialog closes. */
function useAnswer() {
  const [answer, setAnswer] = useState<Answer>();
  const [isSending, setSending] = useState(false);
  const [closing] = useState(() => new AbortController());
  useEffect(() => () => closing.abort(), [closing]);
  const send = async (request: ApiRequest): Promise<void> => {
    setSending(true);
    setAnswer(await answerTo(request, closing.signal));
    setSending(false);
  };
  return { answer, isSending, send };
}

interface FieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function CredentialField({ operation, value, onValue }: FieldProps & Pick<Props, 'operation'>) {
  const hint = useId();
  const inPath = hasKeyInPath(operation);
  const typed = operation.schemes.filter(({ in: place }) => place !== 'cookie');
  if (typed.length === 0 && !inPath) return null;
  return (
    <div className="field wide">
      <label>
        <span>Key or access token</span>
        <input
          className="input"
          autoComplete="off"
          spellCheck={false}
          aria-describedby={hint}
          required={inPath}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      </label>
      <p className="hint" id={hint}>
        Sent as{' '}
        {typed.map((scheme, at) => (
          <span key={scheme.description}>
            {at > 0 && ' or '}
            <SchemeText {...scheme} />
          </span>
        ))}
        {inPath && 'a part of the path'}. The value stays in this page and is never stored.
      </p>
    </div>
  );
}

function ParameterField({ parameter, value, onValue }: FieldProps & { readonly parameter: Parameter }) {
  const { name, required = false, schema } = parameter;
  const example = parameter.example ?? givenExample(schema);
  const hint =
    limitTexts(schema)[0] ??
    (example === undefined ? typeText(schema) : `e.g. ${JSON.stringify(example).replaceAll('"', '')}`);
  const values = schema.anyOf || schema.items ? [] : allowedValues(schema).map(String);
  return (
    <label className="field">
      <span>
        <code>{name}</code> {required && <span className="hint">required</span>}
      </span>
      {values.length > 0 && values.length <= MAX_OPTIONS ? (
        <Select
          required={required}
          value={value}
          onValue={onValue}
          options={[['', 'not sent'], ...values.map((each) => [each, each] as const)]}
        />
      ) : (
        <input
          className="input small"
          required={required}
          value={value}
          autoComplete="off"
          spellCheck={false}
          placeholder={hint}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </label>
  );
}

function BodyField({ value, onValue }: FieldProps) {
  return (
    <label className="field wide">
      <span>Body</span>
      <textarea
        className="input"
        rows={Math.min(14, value.split('\n').length + 1)}
        spellCheck={false}
        value={value}
        onChange={(event) => onValue(event.target.value)}
      />
    </label>
  );
}

interface FileFieldProps {
  readonly type: string;
  readonly onFile: (file: File | undefined) => void;
}

function FileField({ type, onFile }: FileFieldProps) {
  return (
    <label className="field wide">
      <span>Body</span>
      <input
        className="input"
        type="file"
        accept={`.${type.split('/')[1] ?? ''},${type}`}
        required
        onChange={({ target }) => onFile(target.files?.[0])}
      />
    </label>
  );
}

interface SendProps {
  readonly form: string;
  readonly method: string;
  readonly isSending: boolean;
}

/** A DELETE needs a second click. */
function SendButton({ form, method, isSending }: SendProps) {
  const isDelete = method === 'DELETE';
  const [asks, setAsks] = useState(false);
  return (
    <Button
      type="submit"
      form={form}
      size="small"
      kind={isDelete ? 'danger solid' : 'primary'}
      busy={isSending}
      onClick={(event) => {
        if (!isDelete) return;
        if (!asks) event.preventDefault();
        setAsks(!asks);
      }}
    >
      {isDelete ? `${asks ? 'Confirm' : 'Send'} DELETE` : 'Send'}
    </Button>
  );
}

function AnswerHead({ text, isGood, timeMs, body }: Answer) {
  return (
    <>
      <span className={`status ${isGood ? 'good' : 'bad'}`}>{text}</span> {timeMs} ms
      {body && `, ${formatNumber(body.content.size)} bytes`}
    </>
  );
}

function AnswerContent({ headers, body }: Answer) {
  const picture = useObjectUrl(body?.isPicture === true ? body.content : undefined);
  return (
    <>
      {headers.length > 0 && (
        <Disclosure summary={`Headers (${headers.length})`}>
          {() => (
            <HighlightedCode text={headers.map((field) => field.join(': ')).join('\n')} label="Response headers" />
          )}
        </Disclosure>
      )}
      {picture !== undefined && <img className="picture" src={picture} alt="Response" />}
      {body && !body.isPicture && <ResponseText text={body.text} />}
      {body && (
        <Button size="small" onClick={() => saveFile(body.fileName, body.content)}>
          Download
        </Button>
      )}
    </>
  );
}

function ResponseText({ text }: { readonly text: string }) {
  return (
    <>
      <HighlightedCode text={text.slice(0, MAX_SHOWN_CHARACTERS)} label="Response" />
      {text.length > MAX_SHOWN_CHARACTERS && (
        <p className="hint">
          The first {formatNumber(MAX_SHOWN_CHARACTERS)} of {formatNumber(text.length)} characters.
        </p>
      )}
    </>
  );
}
