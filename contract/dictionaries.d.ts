/** Word lists that the package exports only together. */
declare module '@zxcvbn-ts/language-en/dist/*.json.mjs' {
  const words: string[]
  export = words
}
