// Completion command (`blazon completion bash`): prints a shell script that gets completions from `blazon complete`.
import { print, type Subcommand } from '../platform/command-line/command.js';

const SCRIPTS: Readonly<Record<string, { readonly use: string; readonly script: string }>> = {
  bash: {
    use: 'in ~/.bashrc: source <(blazon completion bash)',
    script: [
      '_blazon() {',
      '  local found; found=$(blazon complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)',
      '  COMPREPLY=($(compgen -W "$found" -- "${COMP_WORDS[COMP_CWORD]}"))',
      '}',
      'complete -o default -F _blazon blazon',
    ].join('\n'),
  },
  zsh: {
    use: 'in ~/.zshrc, after compinit: source <(blazon completion zsh)',
    script: [
      '_blazon() {',
      '  local -a found; found=(${(f)"$(blazon complete "${(@)words[2,CURRENT]}" 2>/dev/null)"})',
      '  compadd -- $found || _files',
      '}',
      'compdef _blazon blazon',
    ].join('\n'),
  },
  fish: {
    use: 'blazon completion fish > ~/.config/fish/completions/blazon.fish',
    script: "complete -c blazon -a '(blazon complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'",
  },
};

export default Object.entries(SCRIPTS).map(([name, { use, script }]): Subcommand => ({
  name,
  help: `Print the completion script for ${name}. Usage: ${use}`,
  json: false,
  run: async () => script.split('\n').forEach(print),
}));
