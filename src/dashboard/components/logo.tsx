// Blazon's own mark.
import mark from '../images/blazon.svg';

export function Mark({ size = 28 }: { readonly size?: number }) {
  return <img src={mark} width={size} height={size} alt="" />;
}
