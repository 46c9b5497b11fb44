{{- define "florin.fullname" -}}
{{- if contains "florin" .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-florin" (.Release.Name | trunc 33 | trimSuffix "-") -}}
{{- end -}}
{{- end -}}

{{- define "florin.selector" -}}
app.kubernetes.io/name: florin
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "florin.labels" -}}
{{ include "florin.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "florin.image" -}}
{{- $repository := required "image.repository is empty: set it to the image of a release" .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{ $repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* Parts of the release, separated by commas. A router is one where it is enabled. */}}
{{- define "florin.components" -}}
api,worker,vault{{ if .Values.router.enabled }},router{{ end }}
{{- end -}}

{{/* Settings of each pod: no token of the cluster, no root, no other user's files. */}}
{{- define "florin.pod" -}}
serviceAccountName: {{ include "florin.fullname" .root }}-{{ .component }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .user }}
  runAsGroup: {{ .group }}
  fsGroup: {{ .group }}
  # Always would open the root keys to the group at each start, and the vault then refuses them.
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "florin.container" -}}
image: {{ include "florin.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{/* Copies a certificate into memory, where only the user of the process can read its key. */}}
{{- define "florin.tlsCopy" -}}
- name: tls
  {{- include "florin.container" . | nindent 2 }}
  command:
    - node
    - -e
    - |
      const { readFileSync, writeFileSync } = require('node:fs');
      for (const name of ['tls.crt', 'tls.key', 'ca.crt'])
        writeFileSync(`/run/tls/${name}`, readFileSync(`/secrets/tls/${name}`), { mode: 0o600 });
  resources:
    requests: { cpu: 50m, memory: 64Mi }
    limits: { memory: 128Mi }
  volumeMounts:
    - { name: tls-secret, mountPath: /secrets/tls, readOnly: true }
    - { name: tls, mountPath: /run/tls }
{{- end -}}

{{/* Addresses of all vaults: the server uses the first that works. */}}
{{- define "florin.vaultAddresses" -}}
{{- $name := printf "%s-vault" (include "florin.fullname" .) -}}
{{- $addresses := list -}}
{{- range $n := until (int .Values.vault.replicas) -}}
{{- $addresses = append $addresses (printf "https://%s-%d.%s.%s.svc:%d" $name $n $name $.Release.Namespace (int $.Values.vault.port)) -}}
{{- end -}}
{{- join "," $addresses -}}
{{- end -}}

{{/* Files of one process besides its own: the database's authority, and further secrets. */}}
{{- define "florin.extraEnv" -}}
{{- range $name, $file := . }}
- { name: {{ $name }}, value: {{ printf "/secrets/extra/%s/%s" $name $file.key | quote }} }
{{- end }}
{{- end -}}

{{- define "florin.extraVolume" -}}
extra-{{ . | lower | replace "_" "-" | trunc 50 | trimSuffix "-" }}
{{- end -}}

{{- define "florin.extraMounts" -}}
{{- if .root.Values.secrets.databaseCa }}
- { name: database-ca, mountPath: /secrets/database-ca, readOnly: true }
{{- end }}
{{- range $name, $file := .extra }}
- { name: {{ include "florin.extraVolume" $name }}, mountPath: {{ printf "/secrets/extra/%s" $name }}, readOnly: true }
{{- end }}
{{- end -}}

{{- define "florin.extraVolumes" -}}
{{- with .root.Values.secrets.databaseCa }}
- { name: database-ca, secret: { secretName: {{ . }}, defaultMode: 288 } }
{{- end }}
{{- range $name, $file := .extra }}
- { name: {{ include "florin.extraVolume" $name }}, secret: { secretName: {{ $file.secret }}, defaultMode: 288 } }
{{- end }}
{{- end -}}

{{/* Attempts of a startup probe each 5 s, while a start waits for migrations. Rounded up. */}}
{{- define "florin.startupAttempts" -}}
{{- div (add (int .Values.migrations.deadlineSeconds) 304) 5 -}}
{{- end -}}

{{/* Variables of api and worker. */}}
{{- define "florin.serverEnv" -}}
- { name: FLORIN_PUBLIC_URL, value: {{ required "publicUrl is empty: set the https address of API and dashboard" .Values.publicUrl | quote }} }
- { name: FLORIN_PAY_URL, value: {{ required "payUrl is empty: set the https address of the card form" .Values.payUrl | quote }} }
- { name: FLORIN_TRUSTED_PROXIES, value: {{ join "," .Values.trustedProxies | quote }} }
- { name: DATABASE_URL_FILE, value: /secrets/server/database-url }
- { name: FLORIN_SECRETS_KEY_FILE, value: /secrets/secrets-key/secrets-key }
# The image names a socket, which the vault of another pod does not share.
- { name: VAULT_SOCKET, value: "" }
- { name: FLORIN_VAULT_ADDRESSES, value: {{ include "florin.vaultAddresses" . | quote }} }
- { name: FLORIN_VAULT_CERT_FILE, value: /run/tls/tls.crt }
- { name: FLORIN_VAULT_KEY_FILE, value: /run/tls/tls.key }
- { name: FLORIN_VAULT_CA_FILE, value: /run/tls/ca.crt }
{{- if .Values.secrets.smtp }}
- { name: FLORIN_SMTP_URL_FILE, value: /secrets/smtp/smtp-url }
- { name: FLORIN_MAIL_FROM, value: {{ required "mailFrom is empty: set it together with secrets.smtp" .Values.mailFrom | quote }} }
{{- end }}
{{- include "florin.extraEnv" .Values.secrets.extra.server }}
{{- range $name, $value := .Values.env.server }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- end -}}

{{- define "florin.serverMounts" -}}
- { name: data, mountPath: /var/lib/florin }
- { name: tmp, mountPath: /tmp }
- { name: tls, mountPath: /run/tls, readOnly: true }
- { name: server, mountPath: /secrets/server, readOnly: true }
- { name: secrets-key, mountPath: /secrets/secrets-key, readOnly: true }
{{- if .Values.secrets.smtp }}
- { name: smtp, mountPath: /secrets/smtp, readOnly: true }
{{- end }}
{{- include "florin.extraMounts" (dict "root" . "extra" .Values.secrets.extra.server) }}
{{- end -}}

{{/* 288 is 0440: the group of the pod reads secrets. YAML 1.1 and 1.2 read a leading zero differently. */}}
{{- define "florin.serverVolumes" -}}
- { name: data, emptyDir: {} }
- { name: tmp, emptyDir: {} }
- { name: tls, emptyDir: { medium: Memory, sizeLimit: 1Mi } }
- { name: tls-secret, secret: { secretName: {{ .Values.secrets.serverTls }}, defaultMode: 288 } }
- { name: server, secret: { secretName: {{ .Values.secrets.server }}, defaultMode: 288 } }
- { name: secrets-key, secret: { secretName: {{ .Values.secrets.secretsKey }}, defaultMode: 288 } }
{{- if .Values.secrets.smtp }}
- { name: smtp, secret: { secretName: {{ .Values.secrets.smtp }}, defaultMode: 288 } }
{{- end }}
{{- include "florin.extraVolumes" (dict "root" . "extra" .Values.secrets.extra.server) }}
{{- end -}}
