// A button that opens the browser's file dialog for SVG files.
import { useRef, type ChangeEvent } from 'react';
import { Button, type ButtonProps } from '../../components/button.js';
import { SVG_FILES } from '../../data/drawing-files.js';

interface Props extends ButtonProps {
  readonly onFiles: (files: readonly File[]) => unknown;
}

export function FileButton({ onFiles, ...button }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    onFiles([...(target.files ?? [])]);
    target.value = '';
  };
  return (
    <span>
      <input ref={input} type="file" accept={SVG_FILES} multiple hidden aria-label="SVG files" onChange={choose} />
      <Button {...button} onClick={() => input.current?.click()} />
    </span>
  );
}
