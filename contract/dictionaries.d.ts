/** Word lists that their package exports only all together. */
declare module '@zxcvbn-ts/language-en/dist/*.json.mjs' {
  const words: string[]
  export = words
}
