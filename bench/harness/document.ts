import { readFileSync, writeFileSync } from 'node:fs'

/** A table in Markdown, with columns of one width. The first row is its head. */
export const tableOf = (all: readonly (readonly string[])[]): string => {
  const widths = (all[0] ?? []).map((_, column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...rest] = all
  return [
    line(head),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...rest.map(line),
  ].join('\n')
}

/** Replaces what stands between `<!-- NAME -->` and `<!-- end of NAME -->` in a document. */
export const fillIn = (file: string, name: string, content: string): void => {
  const text = readFileSync(file, 'utf8')
  const begin = `<!-- ${name} -->`
  const end = `<!-- end of ${name} -->`
  if (!text.includes(begin) || !text.includes(end)) throw new Error(`${file} has no ${begin}`)
  writeFileSync(
    file,
    `${text.slice(0, text.indexOf(begin))}${begin}\n\n${content}\n\n${text.slice(text.indexOf(end))}`,
  )
}
