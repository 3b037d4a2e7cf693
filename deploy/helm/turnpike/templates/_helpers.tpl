{{- define "turnpike.fullname" -}}
{{- if .Values.fullnameOverride -}}{{ .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Name of one component's resources: (list $ "relay") */}}
{{- define "turnpike.name" -}}{{ include "turnpike.fullname" (index . 0) }}-{{ index . 1 }}{{- end -}}

{{- define "turnpike.selector" -}}
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "turnpike.labels" -}}
app.kubernetes.io/name: {{ (index . 0).Chart.Name }}
{{ include "turnpike.selector" . }}
app.kubernetes.io/part-of: turnpike
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ (index . 0).Chart.Name }}-{{ (index . 0).Chart.Version }}
{{- end -}}

{{- define "turnpike.secretName" -}}
{{ default (printf "%s-secrets" (include "turnpike.fullname" .)) .Values.secret.existingSecret }}
{{- end -}}

{{- define "turnpike.serviceAccount" -}}
{{ default (ternary (include "turnpike.fullname" .) "default" .Values.serviceAccount.create) .Values.serviceAccount.name }}
{{- end -}}

{{/* A given value, else the value in the cluster, else a new random one: (list $ "MASTER_KEY" given random) */}}
{{- define "turnpike.kept" -}}
{{- $root := index . 0 -}}
{{- $known := lookup "v1" "Secret" $root.Release.Namespace (include "turnpike.secretName" $root) | default dict -}}
{{- $old := index ($known.data | default dict) (index . 1) -}}
{{- if index . 2 -}}{{ index . 2 }}{{- else if $old -}}{{ $old | b64dec }}{{- else -}}{{ index . 3 }}{{- end -}}
{{- end -}}
