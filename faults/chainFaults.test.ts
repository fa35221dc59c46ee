import { nodeFaults } from './chainFaults.ts'
import { runCases } from './chainNetworks.ts'

runCases(nodeFaults)
