// Builds the web app once per language into build/client: pages by language, scripts and styles in
// assets.
import { spawn } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('.', import.meta.url))
const CLIENT = join(ROOT, 'build', 'client')
const { bin } = JSON.parse(
  readFileSync(fileURLToPath(import.meta.resolve('@react-router/dev/package.json')), 'utf8'),
)
const reactRouter = join(
  dirname(fileURLToPath(import.meta.resolve('@react-router/dev/package.json'))),
  bin['react-router'],
)

const patient = ['--import', new URL('./patientPrerender.mjs', import.meta.url).href]
/** A build without a new file for so long has failed. */
const STANDSTILL_MS = 600_000

const directoryOf = (language) => join(ROOT, 'build', `in-${language}`)

const build = (language) =>
  new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [...patient, reactRouter, 'build', '--logLevel', 'warn'],
      {
        cwd: ROOT,
        env: { ...process.env, VITE_LANGUAGE: language, BUILD_DIRECTORY: directoryOf(language) },
        stdio: 'inherit',
      },
    )
    let [files, changedAt] = [0, Date.now()]
    const watching = setInterval(() => {
      const found = globSync('**/*', { cwd: directoryOf(language) }).length
      if (found !== files) [files, changedAt] = [found, Date.now()]
      else if (Date.now() - changedAt > STANDSTILL_MS) child.kill()
    }, 5_000)
    child.once('exit', (code, signal) => {
      clearInterval(watching)
      if (code === 0) return resolve()
      const why = signal
        ? `had no new file for ${STANDSTILL_MS / 60_000} minutes`
        : `ended with ${code}`
      reject(new Error(`the build in '${language}' ${why}`))
    })
  })

const { languages } = await import('@pool/contract/base/languages')
const builds = await Promise.allSettled(languages.map(build))
// Both write types of routes to one folder, so that one may trip over the other. It builds alone.
for (const [place, { status }] of builds.entries())
  if (status === 'rejected') await build(languages[place])
rmSync(CLIENT, { recursive: true, force: true })
const scriptsIn = {}
for (const language of languages) {
  const made = join(directoryOf(language), 'client')
  for (const file of globSync('**/*', { cwd: made, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )) {
    const path = join(file.parentPath, file.name).slice(made.length + 1)
    const target = path.endsWith('.html') ? join(CLIENT, language, path) : join(CLIENT, path)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(made, path), target)
  }
  scriptsIn[language] = globSync('assets/*.js', { cwd: made }).map((path) => `/${path}`)
  rmSync(directoryOf(language), { recursive: true, force: true })
}

// Names the investor's dashboard in its document. Its script is loaded on demand, and the browser
// would find it late.
const scriptOf = (language, name) =>
  scriptsIn[language].find((path) => path.startsWith(`/assets/${name}-`))
const importsOf = (path) =>
  [
    ...readFileSync(join(CLIENT, path), 'utf8').matchAll(
      /(?:from|import)\s*["']\.\/([^"']+\.js)["']/g,
    ),
  ].map(([, name]) => `/assets/${name}`)
for (const language of languages) {
  const document = join(CLIENT, language, 'dashboard', 'index.html')
  const html = readFileSync(document, 'utf8')
  const script = scriptOf(language, 'UserDashboard')
  const [font] = globSync('assets/newsreader-*.woff2', { cwd: CLIENT })
  const links = [
    `<link rel="preload" as="font" type="font/woff2" crossorigin="anonymous" href="/${font}"/>`,
    ...[script, ...importsOf(script)].map((path) => `<link rel="modulepreload" href="${path}"/>`),
  ]
  const missing = links.filter((link) => !html.includes(link.match(/href="([^"]*)"/)[1]))
  writeFileSync(document, html.replace('</head>', `${missing.join('')}</head>`))
}

// Styles come first: scripts that share the line delay the first paint.
const later = /<link rel="modulepreload"[^>]*>/g
for (const page of globSync('*/**/*.html', { cwd: CLIENT })) {
  const html = readFileSync(join(CLIENT, page), 'utf8')
  const links = [...new Set(html.match(later) ?? [])].map((link) =>
    link.replace('rel="modulepreload"', 'rel="modulepreload" fetchpriority="low"'),
  )
  writeFileSync(
    join(CLIENT, page),
    html.replaceAll(later, '').replace('</head>', `${links.join('')}</head>`),
  )
}
