{{/* Settings of one service: the defaults with its own block over them, as JSON: (list $ "relay") */}}
{{- define "turnpike.settings" -}}
{{- $root := index . 0 -}}
{{- mergeOverwrite (deepCopy $root.Values.serviceDefaults) (deepCopy (index $root.Values.services (index . 1) | default dict)) | toJson -}}
{{- end -}}

{{- define "turnpike.version" -}}{{ default .Chart.AppVersion .Values.image.tag }}{{- end -}}
{{- define "turnpike.image" -}}{{ (index . 0).Values.image.prefix }}/{{ index . 1 }}:{{ include "turnpike.version" (index . 0) }}{{- end -}}

{{/* What PodSecurity "restricted" requires of a pod: its user */}}
{{- define "turnpike.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "turnpike.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* The parts of a pod that all of the chart's pods share */}}
{{- define "turnpike.podBase" -}}
serviceAccountName: {{ include "turnpike.serviceAccount" . }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
