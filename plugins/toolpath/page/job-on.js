/** Whether a printer's state is about a plate. Pure. @param {any} doc @param {string} file @param {number} plate */
export function jobOn (doc, file, plate) {
  const job = doc?._active_job_info ?? {}
  const isBusy = ['RUNNING', 'PAUSE', 'PREPARE'].includes(doc?._printer_state?.gcode_state ?? '')
  if (!isBusy) return undefined
  const name = file.slice(file.lastIndexOf('/') + 1)
  const names = [name, name.replace(/(\.gcode)?(\.3mf)?$/i, '')]
  const path = job.project_info?.id
  const isFile = path ? path === file : job.gcode_file?.split('/').at(-1) === name || names.includes(job.subtask_name)
  const isPlate = !(job.plate_num > 0) || job.plate_num === plate
  if (!isFile || !isPlate) return undefined
  return { layer: job.current_layer ?? 0, layers: job.total_layers ?? 0, percent: job.print_percentage ?? 0 }
}
