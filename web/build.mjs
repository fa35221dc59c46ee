// Builds the web app once for each language into build/client: pages in a folder per language, scripts and styles side by side in assets.
import { spawn } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('.', import.meta.url))
const CLIENT = join(ROOT, 'build', 'client')
const { bin } = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('@react-router/dev/package.json')), 'utf8'))
const reactRouter = join(dirname(fileURLToPath(import.meta.resolve('@react-router/dev/package.json'))), bin['react-router'])

const directoryOf = (language) => join(ROOT, 'build', `in-${language}`)

const build = (language) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [reactRouter, 'build'], {
      cwd: ROOT,
      env: { ...process.env, VITE_LANGUAGE: language, BUILD_DIRECTORY: directoryOf(language) },
      stdio: 'inherit',
    })
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the build in '${language}' ended with ${code}`))))
  })

const { languages } = await import('@pool/contract/languages')
await Promise.all(languages.map(build))
rmSync(CLIENT, { recursive: true, force: true })
for (const language of languages) {
  const made = join(directoryOf(language), 'client')
  for (const file of globSync('**/*', { cwd: made, withFileTypes: true }).filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name).slice(made.length + 1)
    const target = path.endsWith('.html') ? join(CLIENT, language, path) : join(CLIENT, path)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(made, path), target)
  }
  rmSync(directoryOf(language), { recursive: true, force: true })
}
